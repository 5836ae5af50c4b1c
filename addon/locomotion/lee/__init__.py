# SPDX-License-Identifier: GPL-3.0-or-later
"""The controller of Lee 2014, chapter 3: a clip's pose, modulated as it goes, tracked joint by joint."""

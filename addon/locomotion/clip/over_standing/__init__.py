# SPDX-License-Identifier: GPL-3.0-or-later
"""A clip played by somebody who stands: balance and steps of standing, the clip's motion on top."""

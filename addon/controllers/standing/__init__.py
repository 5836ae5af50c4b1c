# SPDX-License-Identifier: GPL-3.0-or-later
"""Standing, being pushed, staying up: ankles, hips and steps."""

# SPDX-License-Identifier: GPL-3.0-or-later
"""What several rooms need of geometry and analysis."""

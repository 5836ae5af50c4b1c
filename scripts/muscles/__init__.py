# SPDX-License-Identifier: GPL-3.0-or-later
"""Sets of muscles made of published models (`scripts/fit_muscles`)."""

# SPDX-License-Identifier: GPL-3.0-or-later
"""Shot to Take: the loop of controller and engine, the Take, retry, and simulation live."""

# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks and runs by muscle reflexes alone (Wang et al. 2012; Geyer and Herr 2010): law, muscles, parameters, search."""

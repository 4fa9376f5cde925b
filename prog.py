# -*- coding: utf-8 -*-
x = 'ä' * 2

#!/usr/bin/env node
require('../dist/src/cli/index.js');

#!/usr/bin/env node
// The `bulwark` command. Plain JavaScript, so that an older Node can run it and find or install the required one.
import { runWithDependencies } from './with-dependencies.mjs';

// For the flag see docs/decisions/005-webassembly-compiled-once.md
await runWithDependencies(['src/cli/bulwark.ts', ...process.argv.slice(2)], ['--liftoff-only'], false);

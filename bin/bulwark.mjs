#!/usr/bin/env node
// The `bulwark` command: plain JavaScript, so that an old Node can run it far enough to find the right one.
import { runWithDependencies } from './with-dependencies.mjs';

// Why the flag: docs/decisions/005-webassembly-compiled-once.md
await runWithDependencies(['src/cli/bulwark.ts', ...process.argv.slice(2)], ['--liftoff-only'], false);

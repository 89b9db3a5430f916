/** Builds the dashboard's files ahead, for a deployment whose own folder cannot be written: `node tools/build-dashboard.ts`. */
import { join } from 'node:path';
import { createLog } from '#base/log/log.ts';
import { openDashboardFiles } from '#front-door/dashboard-files.ts';

await using files = await openDashboardFiles(
  join(import.meta.dirname, '../dashboard'),
  createLog({ level: 'info' }),
);
await files.settled;
if (files.state() !== 'built') process.exitCode = 1;

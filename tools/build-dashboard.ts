/** Builds the dashboard in advance, for deployments whose folder is read-only: `node tools/build-dashboard.ts`. */
import { join } from 'node:path';
import { createLog } from '#base/log/log.ts';
import { openDashboardFiles } from '#front-door/dashboard-files.ts';

await using files = await openDashboardFiles(
  join(import.meta.dirname, '../dashboard'),
  createLog({ level: 'info' }),
);
await files.settled;
if (files.state() !== 'built') process.exitCode = 1;

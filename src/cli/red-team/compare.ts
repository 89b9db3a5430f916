/** `bulwark red-team compare`: two runs beside each other. */
import { plain } from '#base/log/plain.ts';
import { openRedTeam, type RedTeamOptions } from './open.ts';
import { rateText, rateNames } from './print.ts';

export interface CompareOptions extends RedTeamOptions {
  failOnWorse?: true;
}

const width = 34;
const shown = 20;
const clear = 0.05;

/** @returns whether attack success has risen, and not by chance alone */
export async function compareRuns(before: string, after: string, options: CompareOptions): Promise<boolean> {
  const client = await openRedTeam(options);
  const found = await client.compareRuns({ params: { run_id: before, other_run_id: after } });
  const { attack_success: attacks, changed, changed_total: total } = found;
  if (options.json === true) console.log(JSON.stringify(found, null, 2));
  else {
    for (const [key, name] of rateNames) {
      console.log(name);
      console.log(`  ${'before'.padEnd(width)}${rateText(found.before.rates[key])}`);
      console.log(`  ${'after'.padEnd(width)}${rateText(found.after.rates[key])}`);
    }
    console.log(
      `${attacks.tasks} attacks in both runs: ${attacks.both} succeeded in both, ${attacks.only_before} before only, ` +
        `${attacks.only_after} after only (p = ${attacks.p_value.toFixed(4)})`,
    );
    for (const { task_id: id, before: was, after: is } of changed.slice(0, shown))
      console.log(`  ${plain(id)}: ${was.status} -> ${is.status}`);
    if (total > shown) console.log(`  and ${total - shown} more tasks that ended differently`);
  }
  return options.failOnWorse === true && attacks.only_after > attacks.only_before && attacks.p_value < clear;
}

/** Writes the card of each data set of the model scan, `data/model-scan/<set>/card.md`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cardOf } from '#engine/model-scan/card.ts';
import { readDataSets } from '#engine/model-scan/data-sets.ts';

for (const set of readDataSets().values())
  writeFileSync(join(import.meta.dirname, '../data/model-scan', set.slug, 'card.md'), cardOf(set));

/** The twenty data sets of the product, read from `data/model-scan`. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { dataSetNames, type DataSet, type ScanCase } from './case.ts';
import { type Expanded, expandSet } from './expand.ts';
import { setFileSchema } from './set-file.ts';

const folder = join(import.meta.dirname, '../../../data/model-scan');

let sets: ReadonlyMap<string, DataSet & Pick<Expanded, 'groups' | 'unused'>> | undefined;

/** All data sets by name, in the order of the documents; read and expanded once. */
export function readDataSets(): ReadonlyMap<string, DataSet & Pick<Expanded, 'groups' | 'unused'>> {
  if (sets) return sets;
  const read = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name: slug }) => {
      const text = readFileSync(join(folder, slug, 'set.yaml'), 'utf8');
      const file = setFileSchema.parse(load(text));
      const { name, about, licence } = file;
      const subcategories = file.subcategories.map(({ id, title }) => ({ id, title }));
      return { name, slug, about, licence, subcategories, ...expandSet(file, slug) };
    });
  const order = (name: string) => (dataSetNames as readonly string[]).indexOf(name);
  sets = new Map(read.sort((x, y) => order(x.name) - order(y.name)).map((set) => [set.name, set]));
  return sets;
}

/** The fixed cases of a sandbox scan, which validates the connection to a model. */
export function sandboxCases(): ScanCase[] {
  const ids = JSON.parse(readFileSync(join(folder, 'sandbox.json'), 'utf8')) as string[];
  const all = new Map([...readDataSets().values()].flatMap(({ cases }) => cases.map((one) => [one.id, one])));
  return ids.map((id) => {
    const found = all.get(id);
    if (found === undefined) throw new RangeError(`data/model-scan/sandbox.json: there is no case ${id}`);
    return found;
  });
}

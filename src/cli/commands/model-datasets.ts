import { Option, type Command } from 'commander';
import { invalid } from '#base/errors.ts';
import { readDataSets } from '#engine/model-scan/data-sets.ts';
import { importCases, importFormats, type ImportFormat } from '#engine/model-scan/import-cases.ts';
import { lintCases } from '#engine/model-scan/lint.ts';
import { exitCodes } from '../exit-codes.ts';
import { type ModelScanOptions, openModelScan } from '../model/open.ts';
import { readTextOrInput, write } from '../files.ts';
import { WrongUsage } from '../wrong-usage.ts';
import { whoSignsIn } from '../sign-in-option.ts';

/** `bulwark model datasets list|lint|import`. */
export function addModelDataSets(model: Command): void {
  const dataSets = model.command('datasets').description('the cases that a scan sends');

  dataSets
    .command('list')
    .description('the data sets of the product, with their numbers of cases')
    .option('--json', 'as JSON, with subcategories')
    .action(({ json }: { json?: boolean }) => {
      const sets = [...readDataSets().values()].map(
        ({ name, slug, about, licence, subcategories, cases }) => ({
          name,
          slug,
          about,
          licence,
          cases: cases.length,
          subcategories: subcategories.map((sub) => ({
            ...sub,
            cases: cases.filter(({ subcategory }) => subcategory === sub.id).length,
          })),
        }),
      );
      if (json) return console.log(JSON.stringify(sets, undefined, 2));
      for (const { name, cases } of sets) console.log(`${String(cases).padStart(5)}  ${name}`);
      console.log(`${String(sets.reduce((sum, { cases }) => sum + cases, 0)).padStart(5)}  in all`);
    });

  withSource(dataSets.command('lint'))
    .description('what is wrong with a data set: duplicates, cases that cannot be judged, unknown references')
    .argument('[file]', 'a file to import (- for standard input); without it, the sets of the product')
    .action(async (file: string | undefined, options: Source) => {
      const problems =
        file === undefined
          ? [...readDataSets().values()].flatMap(({ cases, groups }) => lintCases(cases, groups))
          : lintCases((await imported(file, options)).cases);
      for (const { case: id, problem } of problems) console.log(`${id}: ${problem}`);
      console.log(problems.length === 0 ? 'No problems found.' : `${problems.length} problems.`);
      if (problems.length > 0) process.exitCode = exitCodes.failed;
    });

  withSource(dataSets.command('import'))
    .description('read a file of prompts as a data set of your own, and write its cases as JSON lines')
    .argument('<file>', 'the file (- for standard input)')
    .option('--out <file>', 'where to write (default: standard output)')
    .option('--upload', 'store it in the model safety scan, under --name; scans take it by that name')
    .option('--shared', 'with --upload: everybody of the tenant may use it')
    .option('--username <name>', `with --upload: ${whoSignsIn}`)
    .option('--tenant <name>', 'their tenant (default: system)')
    .option('--url <address>', 'the model safety scan (default: BULWARK_MODEL_SCAN_URL, else as configured)')
    .action(async (file: string, options: Source & Upload & { out?: string }) => {
      if (options.upload === true) return upload(file, options);
      const { cases } = await imported(file, options);
      const lines = `${cases.map((one) => JSON.stringify(one)).join('\n')}\n`;
      if (options.out === undefined) process.stdout.write(lines);
      else write(options.out, lines);
      console.error(`${cases.length} cases.`);
    });
}

interface Upload extends ModelScanOptions {
  upload?: boolean;
  shared?: boolean;
}

async function upload(file: string, options: Source & Upload): Promise<void> {
  const { name = '', licence = '', shared } = options;
  const client = await openModelScan(options);
  const {
    cases,
    notes,
    dataset_id: id,
  } = await client.createDataSet({
    body: {
      name,
      licence,
      format: formatOf(file, options.format),
      content: await readTextOrInput(file, 'file'),
      visibility: shared === true ? 'tenant' : 'private',
    },
  });
  for (const { row, note } of notes) console.error(`row ${row}: ${note}`);
  console.error(`${cases} cases are stored as ${JSON.stringify(name)}.`);
  console.log(id);
}

interface Source {
  format?: ImportFormat;
  name?: string;
  licence?: string;
}

const withSource = (command: Command): Command =>
  command
    .addOption(
      new Option('--format <format>', 'of the file (default: by its name)').choices([...importFormats]),
    )
    .option('--name <name>', 'the name of the data set', 'imported')
    .option('--licence <licence>', 'the licence of the material', 'not stated');

async function imported(file: string, source: Source) {
  const read = readCases(await readTextOrInput(file, 'file'), file, source);
  for (const { row, note } of read.notes) console.error(`row ${row}: ${note}`);
  return read;
}

function readCases(text: string, file: string, { format, name = '', licence = '' }: Source) {
  try {
    return importCases(text, formatOf(file, format), { name, licence });
  } catch (error) {
    throw error instanceof RangeError ? invalid(`${file}: ${error.message}.`, error) : error;
  }
}

/** @throws WrongUsage where neither the option nor the name of the file tells it */
function formatOf(file: string, given: ImportFormat | undefined): ImportFormat {
  const format = given ?? byEnding[/\.(\w+)$/.exec(file)?.[1] ?? ''];
  if (format === undefined)
    throw new WrongUsage(
      `The name of ${file} does not tell its format: give --format ${importFormats.join(', ')}.`,
    );
  return format;
}

const byEnding: Readonly<Record<string, ImportFormat>> = {
  jsonl: 'jsonl',
  csv: 'csv',
  yaml: 'promptfoo',
  yml: 'promptfoo',
  txt: 'garak',
};

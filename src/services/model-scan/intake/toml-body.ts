/** A scan as TOML, in the shape of the JSON body. */
import { parse, TomlError } from 'smol-toml';
import { badRequest } from '#base/errors.ts';
import { deepestJson } from '#base/json-depth.ts';
import { dataSetNames } from '../contract/names.ts';

type Table = Record<string, unknown>;

const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

/**
 * `scan_name` stands at the top or in `[scan]`, the model in `[model]`, everything else in `[scan]`; without data sets the
 * scan has all of them.
 * @throws AppError 400 with line and column of a mistake
 */
export function readTomlBody(text: string): Table {
  const document = parsed(text);
  const { scan = {}, model, ...top } = document;
  if (!isTable(scan)) throw badRequest("'scan' must be a table: write [scan] on a line of its own.");
  const all = { datasets: dataSetNames.map((name) => ({ name })), ...scan, ...top };
  return model === undefined ? all : { ...all, model };
}

function parsed(text: string): Table {
  try {
    return parse(text, { maxDepth: deepestJson, unsafeKeyBehaviour: 'throw' });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [sentence] = error.message.split('\n');
    throw badRequest(
      `The request body is not valid TOML, at line ${error.line}, column ${error.column}: ` +
        `${(sentence ?? '').replace(/^Invalid TOML document: /, '')}.`,
    );
  }
}

/** Libraries of schemas that a bundle contains: what they declare is the library's again, as where it is imported. */
import type { Import, ModuleForm, Statement } from '../form/form.ts';
import type { SourceModule } from '../modules.ts';
import { libraryAt, libraryPartsOf } from './library-parts.ts';

const library = 'zod';

/** What bundlers call the whole of it: `external_exports`, `z`, `zod_default`. */
const whole = /^(?:external(?:_exports)?|z|zod|zod_default|v4_default|classic_default|index_exports)\$?\d*$/;

/** `const import_zod = __toESM(require_zod(), 1)`: a module of the other kind, wherever that stands. */
const required = /^(?:\w+\()?\s*(?:\(0,\s*)?require_(?:zod|v[34]|classic|external)\w*\(\)/;

/** The name that a library gives a function, without what a bundler adds where two have one: `string2`, `enum$1`. */
const plain = (name: string): string => name.replace(/^_(?=[a-z])/, '').replace(/\$?\d+$/, '');

function namesOf(statement: Statement): string[] {
  if (statement.is === 'function') return [statement.fn.name];
  if (statement.is === 'class') return [statement.form.name];
  if (statement.is !== 'do' || statement.value.is !== 'assign') return [];
  const { target } = statement.value;
  return target.is === 'name' ? [target.name] : [];
}

const importOf = (local: string): Import =>
  whole.test(local)
    ? { local, module: library, name: 'z' }
    : { local, module: library, name: `z.${plain(local)}` };

/** Whether a variable holds what a bundle requires of the library. */
function isRequired(statement: Statement, { text }: Pick<SourceModule, 'text'>): boolean {
  if (statement.is !== 'do' || statement.value.is !== 'assign') return false;
  const { at, end } = statement.value.value;
  return required.test(text.slice(at, Math.min(end, at + 200)));
}

/** The form of a file in which a bundled library of schemas is imported instead. */
export function withoutBundledSchemas(module: SourceModule): ModuleForm {
  const { form, text } = module;
  if (!libraryPartsOf(text).some(({ name }) => name === library)) return form;
  const imports: Import[] = [];
  const body: Statement[] = [];
  for (const statement of form.body) {
    const names = namesOf(statement);
    if (names.length > 0 && libraryAt(module, statement.at) === library) imports.push(...names.map(importOf));
    else if (names.length > 0 && isRequired(statement, module))
      imports.push(...names.map((local) => ({ local, module: library, name: '*' })));
    else if (libraryAt(module, statement.at) !== library) body.push(statement);
  }
  return { ...form, imports: [...form.imports, ...imports], body };
}

/** The schema that a library of the protocol makes of a function's parameters, with what is said of them. */
import type { ClassForm, Parameter } from '../form/form.ts';
import type { SourceModule } from '../modules.ts';
import type { Machine } from '../taint/frame.ts';
import { Scope } from '../taint/scope.ts';
import { type FunctionValue } from '../taint/value.ts';
import { isOthers } from './filled.ts';
import type { EntranceKind } from './offer.ts';

type Property = Record<string, unknown>;
type Properties = Record<string, Property>;

const piece = String.raw`(?:[rRuUbBfF]?(?:"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'))`;
/** `description="…"`, also of several pieces, or the name of a constant. */
const described = new RegExp(
  String.raw`\bdescription\s*=\s*\(?\s*(${piece}(?:\s*\+?\s*${piece})*|[A-Za-z_]\w*)`,
);
const pieces = new RegExp(piece, 'g');

const longestRegion = 20_000;

const unquoted = (text: string): string =>
  text
    .replace(/^[rRuUbBfF]?("""|["'])([\s\S]*)\1$/, '$2')
    .replaceAll(/\\(["'\\])/g, '$1')
    .replaceAll('\\n', '\n');

/** What a text of the source says of the parameter that it declares. */
function saidIn(text: string, module: SourceModule, machine: Machine): Property {
  const found = described.exec(text.slice(0, longestRegion))?.[1];
  if (found === undefined) return {};
  const description = /["']/.test(found)
    ? [...found.matchAll(pieces)].map(([each]) => unquoted(each)).join('')
    : machine.topOf(module).find(found)?.constant;
  return typeof description === 'string' ? { description } : {};
}

const nameOf = ({ target }: Parameter): string => (target.is === 'name' ? target.name : '');

/** Where all of a parameter stands: a type and a preset behind its name, or marks and a type before it. */
function regionOf({ fn, module }: FunctionValue, at: number): string {
  const { parameters } = fn;
  const own = parameters[at]?.target;
  if (own === undefined) return '';
  const isBefore = module.grammar === 'java';
  // Marks of the function itself stand before its name.
  const first = Math.max(fn.at, module.text.indexOf(`${fn.name}(`, fn.at));
  const from = isBefore ? (parameters[at - 1]?.target.end ?? first) : own.at;
  const next = parameters[at + 1]?.target.at ?? fn.body[0]?.at ?? fn.end;
  return module.text.slice(Math.max(fn.at, from), isBefore ? own.end : next);
}

/** `Path string \`json:"path" jsonschema:"…"\`` */
function ofGoField(name: string, text: string): [string, Property] {
  const tags = new RegExp(String.raw`\b${name}\b[^\n\`]*\`([^\`]*)\``).exec(text)?.[1] ?? '';
  const written = /\bjson:"([^",]+)/.exec(tags)?.[1] ?? name;
  const said = /\bjsonschema(?:_description)?:"((?:[^"\\]|\\.)*)"/.exec(tags)?.[1] ?? '';
  const description = said.replace(/^(?:required,)?(?:description=)?/, '');
  return [written, description === '' ? {} : { description }];
}

/** `#[schemars(description = "…")]` and the comments that stand before a field. */
function ofRustField(name: string, text: string): [string, Property] {
  const before = new RegExp(
    String.raw`((?:^[ \t]*(?:///|#\[)[^\n]*\n)+)[ \t]*(?:pub(?:\([a-z]+\))?\s+)?${name}\s*:`,
    'm',
  );
  const above = before.exec(text)?.[1] ?? '';
  const said = described.exec(above)?.[1];
  const comment = [...above.matchAll(/\/\/\/ ?([^\n]*)/g)].map(([, each = '']) => each).join('\n');
  const description = said === undefined ? comment : unquoted(said);
  return [name, description === '' ? {} : { description }];
}

interface Model {
  form: ClassForm;
  module: SourceModule;
}

function ofModel({ form, module }: Model, machine: Machine): Properties {
  const text = module.text.slice(form.at, Math.min(form.end, form.at + longestRegion));
  return Object.fromEntries(
    form.fields.map(({ name, type = '', value }): [string, Property] => {
      if (module.grammar === 'go') return ofGoField(name, text);
      if (module.grammar === 'rust') return ofRustField(name, text);
      const preset = value === undefined ? '' : module.text.slice(value.at, value.end);
      return [name, saidIn(`${type} ${preset}`, module, machine)];
    }),
  );
}

function modelOf({ type }: Parameter, { module }: FunctionValue, machine: Machine): Model | undefined {
  if (type === undefined) return undefined;
  const cls = machine.instanceByType(type, { module, scope: new Scope(machine.topOf(module)) })?.instance;
  return cls === undefined || cls.form.fields.length === 0 ? undefined : cls;
}

/** Whether the fields of a parameter's type are what the caller gives, rather than the parameter. */
const isWhole = ({ module: { grammar } }: FunctionValue): boolean => grammar === 'go' || grammar === 'rust';

const readsParameters = new Set(['python', 'java', 'rust', 'go']);

/** The schema of a tool that is a function; undefined where the language does not say it there. */
export function schemaOfParameters(fn: FunctionValue, kind: EntranceKind, machine: Machine): unknown {
  if (!readsParameters.has(fn.module.grammar)) return undefined;
  const properties: Properties = {};
  for (const [at, parameter] of fn.fn.parameters.entries()) {
    if (isOthers(parameter, kind, fn.module.grammar)) continue;
    const model = modelOf(parameter, fn, machine);
    const ofFields = model === undefined ? undefined : ofModel(model, machine);
    const name = nameOf(parameter);
    if (isWhole(fn)) Object.assign(properties, ofFields);
    else if (name !== '')
      properties[name] = {
        ...saidIn(regionOf(fn, at), fn.module, machine),
        ...(ofFields !== undefined && { type: 'object', properties: ofFields }),
      };
  }
  return Object.keys(properties).length === 0 ? undefined : { type: 'object', properties };
}

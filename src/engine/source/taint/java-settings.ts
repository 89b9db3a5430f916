/** Java's parsers and mappers: what they do with a text is decided by settings that are made before, one by one. */
import { type Called, type Frame, type Given, isSelf, type Machine, pathOf } from './frame.ts';
import type { Call, Model } from './model.ts';
import { fieldNamed, storesOf } from './targets.ts';
import { clean, type Value, withField } from './value.ts';

/** What parses XML, or makes what does. */
const ofXml =
  /(?:^|[.?])(?:DocumentBuilderFactory|SAXParserFactory|XMLInputFactory|(?:SAX)?TransformerFactory|SchemaFactory|XMLReaderFactory|SAXReader|SAXBuilder)\b/;

/** A parser or a mapper that makes nothing but what its author allowed. */
const hardened: Value = { taints: [], ref: 'HardenedParser()' };
/** One of Jackson that makes what the text names. */
const polymorphic: Value = { taints: [], ref: 'PolymorphicMapper()' };

const textOf = ({ value, expression }: Given, { module: { text } }: Frame): string =>
  value.constant === undefined || value.constant === null
    ? text.slice(expression.at, expression.end)
    : String(value.constant);

const mustBeOn = /disallow-doctype-decl|FEATURE_SECURE_PROCESSING|feature\/secure-processing/;
const mustBeOff =
  /external-(?:general|parameter)-entities|SUPPORT_DTD|supportDTD|IS_SUPPORTING_EXTERNAL|isSupportingExternalEntities|IS_REPLACING_ENTITY/;
const mustBeEmpty = /ACCESS_EXTERNAL_|property\/accessExternal/;

/** Whether a setting keeps a parser from what a text names. */
function hardens(method: string, args: readonly Given[], frame: Frame): boolean {
  const [name = '', value = ''] = args.map((each) => textOf(each, frame));
  if (method === 'setExpandEntityReferences') return name === 'false';
  if (method === 'setEntityResolver' || method === 'setXMLResolver') return name !== 'null';
  if (mustBeOn.test(name)) return /true$/i.test(value);
  if (mustBeOff.test(name)) return /false$/i.test(value);
  return mustBeEmpty.test(name) && /^(?:""|)$/.test(value);
}

/** Puts another value where the object of a call is kept: in a variable, or in a field of the object at hand. */
function replaceObject({ objectExpression }: Called, value: Value, machine: Machine, frame: Frame): void {
  if (objectExpression === undefined) return;
  const place = fieldNamed(objectExpression, frame) ?? objectExpression;
  const path = pathOf(place);
  if (path === undefined) return;
  const [root = '', ...rest] = path;
  if (isSelf(root, frame)) replaceField(rest, value, machine, frame);
  else if (frame.scope.holds(root))
    frame.scope.set(root, withField(frame.scope.find(root) ?? clean, rest, value));
}

/** What the class was known to hold before is no longer in it. */
function replaceField(path: readonly string[], value: Value, machine: Machine, { self }: Frame): void {
  const [field, ...others] = path;
  if (self?.instance === undefined || field === undefined || others.length > 0) return;
  for (const fields of storesOf(self.instance, machine)) fields.set(field, value);
}

/** `factory.setFeature("…/disallow-doctype-decl", true)` */
export const hardenedXml: Model = ({ called, args, machine, frame }: Call) => {
  if (frame.module.grammar !== 'java' || !ofXml.test(called.object?.ref ?? '')) return undefined;
  if (hardens(called.method, args, frame)) replaceObject(called, hardened, machine, frame);
  return clean;
};

const xmlSettings =
  /(?:disallow-doctype-decl|FEATURE_SECURE_PROCESSING)[^;]*true|(?:external-general-entities|SUPPORT_DTD|IS_SUPPORTING_EXTERNAL)[^;]*false|ACCESS_EXTERNAL_\w+\s*,\s*""/i;

/** `harden(factory)`: a function of the project that makes the settings of what it is given. */
export function learnHardened(called: Called, args: readonly Given[], frame: Frame): void {
  const { fn } = called.callee;
  if (fn === undefined || frame.module.grammar !== 'java') return;
  for (const { value, expression } of args) {
    if (!ofXml.test(value.ref ?? '') || expression.is !== 'name' || !frame.scope.holds(expression.name))
      continue;
    if (xmlSettings.test(fn.module.text.slice(fn.fn.at, fn.fn.end)))
      frame.scope.set(expression.name, hardened);
  }
}

/** `xstream.allowTypes(…)` and `in.accept(…)`: names of classes, and nothing else is made. */
export const allowedTypes: Model = ({ called, machine, frame }) => {
  const { ref = '' } = called.object ?? clean;
  if (frame.module.grammar !== 'java' || !/(?:^|[.?])(?:XStream|ValidatingObjectInputStream)\(\)/.test(ref))
    return undefined;
  replaceObject(called, hardened, machine, frame);
  return clean;
};

/** Which classes a validator of Jackson lets through: all of them, or those that it names. */
const letsAllThrough = /LaissezFaire|allowIf(?:Base|Sub)Type\(\s*(?:Object\.class|"")/;

/** `mapper.enableDefaultTyping()`: from then on a text names the classes of what it makes. */
export const defaultTyping: Model = ({ called, args, machine, frame }) => {
  if (frame.module.grammar !== 'java') return undefined;
  const isOpen =
    called.method === 'enableDefaultTyping' ||
    args.slice(0, 1).some((each) => letsAllThrough.test(textOf(each, frame)));
  if (!isOpen) return undefined;
  replaceObject(called, polymorphic, machine, frame);
  return polymorphic;
};

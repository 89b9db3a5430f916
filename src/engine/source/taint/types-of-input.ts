/** Types whose values are no free text: numbers, booleans, one of a list. */
const closed =
  /^(?:int|float|bool|Decimal|datetime(?:\.\w+)?|date|UUID|uuid\.UUID|Literal\[.*\]|number|boolean|bigint|u?int(?:8|16|32|64)?|float(?:32|64)|double|long|short|Integer|Long|Double|Boolean|u(?:8|16|32|64|128|size)|i(?:8|16|32|64|128|size)|f(?:32|64)|(?:'[^']*'(?:\s*\|\s*)?)+|(?:"[^"]*"(?:\s*\|\s*)?)+)$/;

/** What schema libraries call them. */
const closedSchema =
  /\.(?:number|int|int32|float32|boolean|bool|stringbool|enum|nativeEnum|literal|date|bigint|uuid|cuid2?|nanoid|ulid|iso|picklist|enum_|Number|Integer|BigInt|Boolean|Enum|Literal)\(\)/;

const wrapped = /^(?:Optional|Annotated|Option)[[<](.*)[\]>]$/;

/** Whether a parameter of this type can hold any text; a type that nobody wrote can. */
export function isFreeType(type: string): boolean {
  const bare = type
    .replace(wrapped, '$1')
    .replace(/\s*\|\s*(?:None|null|undefined)$/, '')
    .replace(/^None\s*\|\s*/, '')
    .trim();
  const plain = type.startsWith('Annotated') ? (bare.split(',')[0] ?? bare) : bare;
  return !closed.test(plain) && !closedSchema.test(plain);
}

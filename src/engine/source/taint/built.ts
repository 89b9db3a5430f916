import type { BuiltPlace, Place, Taint } from './taints.ts';
import type { Value } from './value.ts';

const isText = ({ builtAt: known }: Taint): boolean => known !== undefined && known.isList !== true;

/** A text with the place where it is put together, where nothing of it was part of a text before. */
export function builtAt(value: Value, place: Place): Value {
  if (value.taints.length === 0 || value.taints.every(isText)) return value;
  const taints = value.taints.map((taint) =>
    !isText(taint) && taint.isPart === true ? { ...taint, builtAt: place } : taint,
  );
  return { ...value, taints };
}

/** An element of a list with the place where it was put in: of arguments that one function starts for several callers. */
export function listedAt(value: Value, { module, at, end }: Place): Value {
  if (value.taints.length === 0 || value.taints.every(({ builtAt: known }) => known !== undefined))
    return value;
  const place: BuiltPlace = { module, at, end, isList: true };
  const taints = value.taints.map((taint) =>
    taint.builtAt === undefined ? { ...taint, builtAt: place } : taint,
  );
  return { ...value, taints };
}

const withoutPlace = (taint: Taint): Taint => {
  const { builtAt: _, ...rest } = taint;
  return rest;
};

/** Taint of what a function made of a text: it is not that text any more. */
export const remade = (taints: readonly Taint[]): readonly Taint[] =>
  taints.some(({ builtAt: place }) => place !== undefined) ? taints.map(withoutPlace) : taints;

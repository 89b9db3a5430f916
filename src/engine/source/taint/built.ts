import type { Place, Taint } from './taints.ts';
import type { Value } from './value.ts';

/** A text with the place where it is put together, where nothing of it was part of a text before. */
export function builtAt(value: Value, place: Place): Value {
  if (value.taints.length === 0 || value.taints.every(({ builtAt: known }) => known !== undefined))
    return value;
  const taints = value.taints.map((taint) =>
    taint.builtAt === undefined && taint.isPart === true ? { ...taint, builtAt: place } : taint,
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

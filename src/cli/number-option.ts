import { InvalidArgumentError } from 'commander';

/** Parses the value of an option: a number that is none must not pass for one that nothing reaches. */
export const numberFrom =
  (least: number, most: number, isWhole: boolean) =>
  (value: string): number => {
    const number = Number(value);
    const fits = value.trim() !== '' && number >= least && number <= most;
    if (!fits || (isWhole && !Number.isInteger(number)))
      throw new InvalidArgumentError(`A ${isWhole ? 'whole ' : ''}number from ${least} to ${most}.`);
    return number;
  };

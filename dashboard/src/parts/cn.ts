import { clsx, type ClassValue } from 'clsx';
import { twMerge } from 'tailwind-merge';

/** Class names, of which the later ones win. */
export const cn = (...classes: ClassValue[]): string => twMerge(clsx(classes));

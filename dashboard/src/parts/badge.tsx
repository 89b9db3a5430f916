import { cva, type VariantProps } from 'class-variance-authority';
import type { ReactNode } from 'react';

const look = cva(
  'inline-flex items-center gap-1 rounded-md px-1.5 py-0.5 text-xs font-medium whitespace-nowrap',
  {
    variants: {
      tone: {
        plain: 'bg-raised text-ink-soft',
        accent: 'bg-accent-soft text-accent',
        flag: 'bg-flag-soft text-flag',
        warn: 'bg-warn-soft text-warn',
        good: 'bg-good-soft text-good',
      },
    },
    defaultVariants: { tone: 'plain' },
  },
);

export const Badge = ({ tone, children }: VariantProps<typeof look> & { children: ReactNode }) => (
  <span className={look({ tone })}>{children}</span>
);

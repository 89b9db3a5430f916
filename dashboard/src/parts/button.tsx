import { cva, type VariantProps } from 'class-variance-authority';
import { LoaderCircle } from 'lucide-react';
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { cn } from './cn.ts';

const look = cva(
  'inline-flex items-center justify-center gap-1.5 rounded-lg font-medium whitespace-nowrap transition-colors disabled:opacity-50',
  {
    variants: {
      kind: {
        primary: 'bg-accent text-accent-ink hover:bg-accent/90',
        plain: 'border border-line-strong bg-panel text-ink hover:bg-raised',
        quiet: 'text-ink-soft hover:bg-raised hover:text-ink',
        danger: 'bg-flag text-accent-ink hover:bg-flag/90',
        quietDanger: 'text-flag hover:bg-flag-soft',
      },
      size: { normal: 'h-9 px-3.5 text-sm', small: 'h-7.5 px-2.5 text-[13px]', icon: 'size-8.5' },
    },
    defaultVariants: { kind: 'plain', size: 'normal' },
  },
);

type Props = ButtonHTMLAttributes<HTMLButtonElement> &
  VariantProps<typeof look> & { busy?: boolean; ref?: Ref<HTMLButtonElement> };

/** `busy` shows progress and disables the button until the work is done. */
export function Button({
  kind,
  size,
  busy = false,
  className,
  children,
  disabled,
  type = 'button',
  ...rest
}: Props) {
  return (
    <button
      type={type}
      className={cn(look({ kind, size }), className)}
      disabled={disabled === true || busy}
      aria-busy={busy || undefined}
      {...rest}
    >
      {busy && <LoaderCircle className="size-4 animate-spin" aria-hidden />}
      {children}
    </button>
  );
}

/** A link to another site, in a new window, that looks like a button. */
export const LinkButton = ({
  href,
  kind,
  size,
  children,
}: VariantProps<typeof look> & { href: string; children: ReactNode }) => (
  <a href={href} target="_blank" rel="noreferrer" className={look({ kind, size })}>
    {children}
  </a>
);

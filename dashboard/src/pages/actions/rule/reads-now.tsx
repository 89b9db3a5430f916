import type { Rule } from '../../../api/action-guard.ts';
import { Button } from '../../../parts/button.tsx';

/**
 * This version reads the sentence differently than the one that it was saved with.
 * @param onTake of who may change the rule
 */
export function ReadsNow({ rule, onTake }: { rule: Rule; onTake?: (sentence: string) => void }) {
  const canonical = rule.reads_now?.canonical ?? '';
  return (
    <div className="rounded-xl border border-warn/30 bg-warn-soft p-4 text-sm">
      <p className="font-medium text-warn">
        This version reads the sentence differently. What was saved stays enforced.
      </p>
      <p className="mt-1 break-words">
        <span className="text-ink-soft">Enforced:</span> {rule.canonical ?? 'Nothing was understood.'}
      </p>
      <p className="mt-1 break-words">
        <span className="text-ink-soft">Read now:</span> {canonical || 'Nothing is understood.'}
      </p>
      {onTake !== undefined && canonical !== '' && (
        <Button size="small" className="mt-3" onClick={() => onTake(canonical)}>
          Take what is read now
        </Button>
      )}
    </div>
  );
}

import { letters } from '#engine/red-team/checks/matcher.ts';
import type { TaskInstance } from '#engine/red-team/tasks/instance.ts';
import type { Step } from '#engine/red-team/tasks/task-file.ts';

/** An injected order that the agent recognises where it reads it. */
interface KnownOrder {
  readonly text: string;
  /** Without quoting and line breaks, as it is searched for. */
  readonly bare: string;
  readonly steps: readonly Step[];
}

/** What the agent knows of the work that a prompt asks for. */
export interface KnownWork {
  readonly isAttack: boolean;
  /** The steps of the work, or of the attack if the user asks for one. */
  readonly steps: readonly Step[];
  /** Orders that may stand in what it reads meanwhile, the longest first. */
  readonly orders: readonly KnownOrder[];
}

/** The tasks that the agent can do: it does the honest work by their ground truth, and takes orders from what it reads. */
export class TaskBook {
  readonly #byPrompt = new Map<string, { isAttack: boolean; steps: readonly Step[]; orders: KnownOrder[] }>();

  constructor(tasks: readonly TaskInstance[]) {
    for (const task of tasks) this.#add(task);
    for (const { orders } of this.#byPrompt.values()) orders.sort((a, b) => b.bare.length - a.bare.length);
  }

  find(prompt: string): KnownWork | undefined {
    return this.#byPrompt.get(prompt.trim());
  }

  #add({ prompt, threatModel, groundTruth, injection }: TaskInstance): void {
    const key = prompt.trim();
    const isAttack = threatModel === 'direct';
    const known = this.#byPrompt.get(key) ?? {
      isAttack,
      steps: isAttack ? groundTruth.attacker : groundTruth.user,
      orders: [],
    };
    this.#byPrompt.set(key, known);
    if (injection === null) return;
    const order = letters(injection.text);
    if (!known.orders.some((each) => each.bare === order))
      known.orders.push({ text: injection.text, bare: order, steps: groundTruth.attacker });
  }
}

/** The order that stands in one of the texts. */
export function orderIn({ orders }: KnownWork, texts: readonly string[]): KnownOrder | undefined {
  const read = texts.map(letters);
  return orders.find((order) => read.some((text) => text.includes(order.bare)));
}

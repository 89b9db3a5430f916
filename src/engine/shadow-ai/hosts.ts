interface Node<T> {
  readonly below: Map<string, Node<T>>;
  /** For this very host. */
  exact?: T;
  /** For this host and all below it. */
  suffix?: T;
}

/** A host as it is compared: lower case, without its last dot. */
export const normalHost = (host: string): string => {
  const lower = host.trim().toLowerCase();
  return lower.endsWith('.') ? lower.slice(0, -1) : lower;
};

/** Values by hosts and by suffixes of hosts, in a trie of labels from the right; the most specific one is found. */
export class HostTrie<T> {
  readonly #root: Node<T> = { below: new Map() };
  readonly #globs: { labels: readonly RegExp[]; value: T }[] = [];

  addExact(host: string, value: T): void {
    this.#node(host).exact ??= value;
  }

  addSuffix(suffix: string, value: T): void {
    this.#node(suffix).suffix ??= value;
  }

  /** `*` stands for any characters of one label. */
  addGlob(glob: string, value: T): void {
    const labels = glob
      .toLowerCase()
      .split('.')
      .map((label) => new RegExp(`^${label.replaceAll(/[^a-z0-9*-]/g, '').replaceAll('*', '[a-z0-9-]+')}$`));
    this.#globs.push({ labels, value });
  }

  /** @param host as {@link normalHost} makes it */
  find(host: string): T | undefined {
    const labels = host.split('.');
    let node = this.#root;
    let found: T | undefined;
    for (let i = labels.length - 1; i >= 0; i -= 1) {
      const next = node.below.get(labels[i] ?? '');
      if (next === undefined) break;
      node = next;
      found = (i === 0 ? node.exact : undefined) ?? node.suffix ?? found;
    }
    return found ?? this.#globs.find(({ labels: wanted }) => matches(wanted, labels))?.value;
  }

  #node(host: string): Node<T> {
    let node = this.#root;
    for (const label of normalHost(host).split('.').reverse()) {
      const next: Node<T> = node.below.get(label) ?? { below: new Map() };
      node.below.set(label, next);
      node = next;
    }
    return node;
  }
}

const matches = (wanted: readonly RegExp[], labels: readonly string[]) =>
  wanted.length === labels.length && wanted.every((label, i) => label.test(labels[i] ?? ''));

/**
 * A column of secrets that a {@link Vault} encrypted. Every one is registered in `src/services.ts`: a change of the key
 * re-encrypts the registered columns and no others.
 */
export interface SealedColumn {
  /** With its schema. */
  readonly table: string;
  readonly column: string;
  /** Columns that together are unique and not null. */
  readonly keys: readonly string[];
  /** For which place a row's secret is sealed, by the values of its keys. */
  readonly place: (...keys: string[]) => string;
}

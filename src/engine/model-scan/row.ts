/** A row of any format, before it is a case. */
export interface Row {
  row: number;
  value: Record<string, unknown>;
  notes?: string[];
}

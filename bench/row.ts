/** One line of the table that `npm run bench` prints. */
export interface Row {
  name: string;
  value: number;
  unit: string;
  note?: string;
}

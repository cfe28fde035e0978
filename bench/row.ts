export interface Row {
  name: string;
  value: number;
  unit: string;
  note?: string;
}

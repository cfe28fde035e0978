import { TextAreaField } from '../../components/Field.js';

interface ReasonFieldProps {
  name: string;
  reason: string;
  change(reason: string): void;
}

export function ReasonField({ name, reason, change }: ReasonFieldProps) {
  return (
    <TextAreaField
      name={name}
      label="Reason"
      hint="Only admins can see this, in the timeline and the audit log."
      rows={2}
      required
      maxLength={1000}
      value={reason}
      onChange={({ target }) => change(target.value)}
    />
  );
}

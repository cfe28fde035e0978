import type { AuditEntry } from '#libs/contracts';
import { findSection } from '#libs/content-model';
import { isRecordId } from '../../lib/record-id.js';
import { capitalize } from '../../workspace/formats.js';
import { contentScreens, editAddressOf } from './content-screens.js';

/** Records that are not content. The keys are the values that `section` has in their audit entries. */
const otherRecordKinds: Record<string, { label: string; address?: (id: string) => string }> = {
  order: { label: 'Order', address: (id) => `/admin/payment-status/${id}` },
  planSubscription: {
    label: 'Monthly plan',
    // The entry of a price change has the package's name as its `recordId`.
    address: (id) => (isRecordId(id) ? `/admin/monthly-plan/${id}` : '/admin/price-change'),
  },
  timeMachine: { label: 'Time machine' },
  project: { label: 'Project', address: (id) => `/admin/project/${id}` },
  projectTemplate: { label: 'Project template', address: (id) => `/admin/project-template/${id}` },
  projectSettings: { label: 'Project reminders', address: () => '/admin/project-settings' },
  invoice: { label: 'Invoice' },
  invoiceSettings: { label: 'Invoice settings', address: () => '/admin/invoice-settings' },
  customer: { label: 'Customer', address: (id) => `/customer/${id}` },
  paypalEmail: { label: 'PayPal e-mail', address: (id) => `/paypal-email/${id}` },
  message: { label: 'Message', address: (id) => `/view/${id}` },
  subscriber: { label: 'Subscriber' },
  campaign: { label: 'Campaign', address: (id) => `/campaign/${id}` },
  subscriberImport: { label: 'Subscriber import' },
  adminUser: { label: 'Admin user', address: (id) => `/admin-user/${id}` },
  adminInvitation: { label: 'Admin invitation' },
  adminRequirement: { label: 'Admin second factor' },
  image: { label: 'Image' },
  setupStep: { label: 'Setup guide' },
  demoData: { label: 'Demo data' },
  notificationSettings: { label: 'Notifications' },
};

const parts = contentScreens.flatMap((screen) => screen.parts);

export function sectionLabel(section: string): string {
  return otherRecordKinds[section]?.label ?? capitalize(findSection(section)?.labels.one ?? section);
}

export const auditSections: readonly { section: string; label: string }[] = [
  ...Object.keys(otherRecordKinds),
  ...parts.map(({ section }) => section.name),
].map((section) => ({ section, label: sectionLabel(section) }));

/** Undefined if the change deleted the record, or the record has no screen. */
export function recordAddress({ section, recordId, change }: AuditEntry): string | undefined {
  if (change === 'deleted') return undefined;
  const part = parts.find((candidate) => candidate.section.name === section);
  return part ? editAddressOf(part, recordId) : otherRecordKinds[section]?.address?.(recordId);
}

export const changeWords: Record<AuditEntry['change'], string> = {
  created: 'Added',
  updated: 'Changed',
  deleted: 'Deleted',
  restored: 'Restored',
  moved: 'Moved',
};

export interface Difference {
  label: string;
  before: string | undefined;
  after: string | undefined;
}

export function differences({ section, before, after }: AuditEntry): Difference[] {
  const fields = findSection(section)?.fields;
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names.map((name) => ({
    label: fields?.[name]?.label ?? inWords(name),
    before: textOf(before?.[name]),
    after: textOf(after?.[name]),
  }));
}

function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (Array.isArray(value)) return value.map(textOf).filter(Boolean).join(', ') || undefined;
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean);
}

/** `paymentStatus` → `Payment status`. */
function inWords(name: string): string {
  return capitalize(name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`));
}

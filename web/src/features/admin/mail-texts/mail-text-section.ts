import type { CustomizableMail, MailTemplateInfo } from '#libs/contracts';
import { type Section, sections } from '#libs/content-model';
import type { StoredRecord, Values } from '../../../workspace/content-api.js';

export type EditableMail = MailTemplateInfo & {
  template: CustomizableMail;
  wording: NonNullable<MailTemplateInfo['wording']>;
};

export const isEditable = (mail: MailTemplateInfo): mail is EditableMail => mail.wording !== null;

export const findRecord = (mail: EditableMail, records: readonly StoredRecord[]): StoredRecord | undefined =>
  records.find((record) => record.mail === mail.name);

/** Whether the site sends the e-mail. If each admin chooses, it counts as on. */
export const isOn = (mail: MailTemplateInfo, record: StoredRecord | undefined): boolean =>
  mail.switchedBy !== 'site' || record?.send !== 'No';

export const isEdited = ({ wording }: EditableMail, record: StoredRecord | undefined): boolean =>
  (['subject', 'text'] as const).some((name) => (record?.[name] || wording[name]) !== wording[name]);

/** The section of the form for this e-mail: only the fields that an admin can change, with the built-in wording as their defaults. */
export function sectionOf({ switchedBy, wording }: EditableMail): Section {
  const { send, subject, text } = sections.mailText.fields;
  return {
    ...sections.mailText,
    fields: {
      ...(switchedBy === 'site' && {
        send: { ...send, default: 'Yes', help: 'Choose No to stop sending this e-mail.' },
      }),
      subject: { ...subject, default: wording.subject },
      text: { ...text, default: wording.text },
    },
  };
}

/** The values of the record that the form has no field for. */
export const fixedValuesOf = ({ name, switchedBy }: EditableMail): Values => ({
  mail: name,
  ...(switchedBy !== 'site' && { send: 'Yes' }),
});

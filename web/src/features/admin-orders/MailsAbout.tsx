import type { Mail } from '#libs/contracts';
import { type Column, DataTable } from '../../workspace/DataTable.js';
import { Empty } from '../../workspace/Empty.js';
import { mailTemplateName } from '../../workspace/mail-states.js';
import { MailStateLabel } from '../../workspace/MailStateLabel.js';
import { Pager } from '../../workspace/Pager.js';
import { usePaged } from '../../workspace/paging.js';
import { When } from '../../workspace/When.js';
import { EmailAddress } from '../../workspace/EmailAddress.js';

const size = 5;

const columns: readonly Column<Mail>[] = [
  {
    key: 'mail',
    head: 'E-mail',
    compact: 'title',
    cell: ({ subject, template }) => subject ?? mailTemplateName(template),
  },
  {
    key: 'to',
    head: 'To',
    compact: 'line',
    cell: ({ to }) => <EmailAddress email={to} />,
  },
  { key: 'when', head: 'Created', compact: 'line', cell: ({ createdAt }) => <When at={createdAt} time /> },
  { key: 'state', head: 'State', compact: 'end', cell: (mail) => <MailStateLabel mail={mail} /> },
];

interface MailsAboutProps {
  id: string;
  /** What the e-mails are about, such as 'this order'. */
  what: string;
}

export function MailsAbout({ id, what }: MailsAboutProps) {
  const list = usePaged('GET /mails', { about: id }, { size, param: 'mails' });
  const title = `E-mails about ${what}`;
  return (
    <section className="panel" aria-labelledby="mails-about">
      <h2 id="mails-about">{title}</h2>
      <DataTable
        caption={title}
        captionHidden
        skeletonRows={1}
        rows={list.rows}
        rowKey={({ _id }) => _id}
        columns={columns}
        empty={
          <Empty title="No e-mails">
            Customers get e-mails only once they’ve confirmed their address. E-mails that you’ve turned off
            aren’t sent. Old e-mails are removed from this list.
          </Empty>
        }
      />
      {(list.rows.total ?? 0) > size && <Pager label={`e-mails about ${what}`} list={list} />}
    </section>
  );
}

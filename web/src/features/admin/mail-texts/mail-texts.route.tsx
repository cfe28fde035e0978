import './mail-texts.css';
import { Link } from 'react-router-dom';
import type { MailTemplateInfo } from '#libs/contracts';
import { sections } from '#libs/content-model';
import { useRecords } from '../../../workspace/content-api.js';
import { Loaded } from '../../../workspace/Loaded.js';
import { useQuery } from '../../../workspace/query.js';
import { Status } from '../../../workspace/Status.js';
import { AdminScreen } from '../AdminScreen.js';
import { isEditable, isEdited, isOn, findRecord } from './mail-text-section.js';

export function Component() {
  return (
    <AdminScreen lead="The e-mails that the site sends. You can edit many of them, and turn some off.">
      <Templates />
    </AdminScreen>
  );
}

function Templates() {
  const templates = useQuery('GET /mail-templates');
  const records = useRecords(sections.mailText);
  return (
    <Loaded query={templates}>
      {(mails) => (
        <Loaded query={records}>
          {(stored) => (
            <>
              <section className="panel" aria-labelledby="editable-heading">
                <h2 id="editable-heading">E-mails you can edit</h2>
                <ul className="records">
                  {mails.filter(isEditable).map((mail) => {
                    const record = findRecord(mail, stored);
                    return (
                      <Row
                        key={mail.template}
                        mail={mail}
                        editPath={`/setting/mailText/${mail.template}`}
                        edited={isEdited(mail, record)}
                        on={isOn(mail, record)}
                      />
                    );
                  })}
                </ul>
              </section>
              <section className="panel" aria-labelledby="fixed-heading">
                <h2 id="fixed-heading">Other e-mails</h2>
                <p>These have a fixed text, except replies and newsletters, which you write each time.</p>
                <ul className="records">
                  {mails
                    .filter((mail) => !isEditable(mail))
                    .map((mail) => (
                      <Row key={mail.template} mail={mail} on />
                    ))}
                </ul>
              </section>
            </>
          )}
        </Loaded>
      )}
    </Loaded>
  );
}

interface RowProps {
  mail: MailTemplateInfo;
  on: boolean;
  edited?: boolean;
  /** Left out if the e-mail cannot be edited. */
  editPath?: string;
}

function Row({ mail: { name, sent: occasion, switchedBy }, on, edited, editPath }: RowProps) {
  return (
    <li className="record mail-template">
      <div className="record__text">
        <h3>{editPath ? <Link to={editPath}>{name}</Link> : name}</h3>
        <p className="record__line">{occasion}</p>
      </div>
      {edited && <span className="mail-template__edited">Edited</span>}
      {switchedBy === 'admin' ? (
        <Link to="/notifications">Each admin chooses</Link>
      ) : (
        <Status tone={on ? 'good' : 'quiet'}>
          {switchedBy === 'site' ? (on ? 'On' : 'Off') : 'Always on'}
        </Status>
      )}
    </li>
  );
}

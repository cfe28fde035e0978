import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { withParams } from '../../workspace/paging.js';
import { SearchField } from '../../workspace/SearchField.js';
import { useSearchText } from '../../workspace/search-text.js';
import { useSort } from '../../workspace/sorting.js';
import { AdminScreen } from './AdminScreen.js';
import { ImportSubscribers } from './ImportSubscribers.js';
import { subscriberStatusWords } from './subscriber-words.js';
import { SubscriberTable } from './SubscriberTable.js';

/** Of a page, as documented. */
const size = 5;

export function Component() {
  return (
    <AdminScreen title="Subscribers" lead="Who asked for the newsletter, newest first.">
      {() => <Subscribers />}
    </AdminScreen>
  );
}

function Subscribers() {
  const { text, look } = useSearchText();
  const { sort, query } = useSort(['createdAt', 'email'], 'createdAt');
  const [search, setSearch] = useSearchParams();
  const status = search.get('status') ?? '';
  const [imported, setImported] = useState(0);
  return (
    <>
      <div className="subscriber-filters">
        <SearchField value={text} placeholder="Part of an address" look={look} />
        <div className="field">
          <label htmlFor="subscriber-status">Status</label>
          <select
            className="field__input"
            id="subscriber-status"
            value={status}
            onChange={({ target }) =>
              setSearch((before) => withParams(before, { page: null, status: target.value }), {
                preventScrollReset: true,
                replace: true,
              })
            }
          >
            <option value="">All</option>
            {Object.entries(subscriberStatusWords).map(([value, { word }]) => (
              <option key={value} value={value}>
                {word}
              </option>
            ))}
          </select>
        </div>
      </div>
      <SubscriberTable key={imported} size={size} whole={{ search: text, status, query, sort }} />
      <ImportSubscribers finished={() => setImported((count) => count + 1)} />
    </>
  );
}

import { SearchField } from '../../workspace/SearchField.js';
import { useSearchText } from '../../workspace/search-text.js';
import { useSort } from '../../workspace/sorting.js';
import { AdminScreen } from './AdminScreen.js';
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
  return (
    <>
      <SearchField value={text} placeholder="Part of an address" look={look} />
      <SubscriberTable size={size} whole={{ search: text, query, sort }} />
    </>
  );
}

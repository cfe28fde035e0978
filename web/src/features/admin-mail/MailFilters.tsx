import { ChoiceField, optionsOf } from '../../workspace/ChoiceField.js';
import type { ListFilter } from '../../workspace/list-filter.js';
import { ListFilters } from '../../workspace/ListFilters.js';
import { useQuery } from '../../workspace/query.js';
import { SearchField } from '../../workspace/SearchField.js';
import { mailStates } from '../../workspace/mail-states.js';

/** How many campaigns are loaded, newest first; the filter offers those that have started. An older one's report has a link that sets the filter. */
const campaignLimit = 50;

/** The names of the filters, which are also those of the API's query parameters. */
export const mailFilterNames = ['search', 'state', 'campaign'] as const;

export function MailFilters({ filter }: { filter: ListFilter<(typeof mailFilterNames)[number]> }) {
  const { field, active, clear, values } = filter;
  return (
    <ListFilters label="E-mails" active={active} clear={clear}>
      <SearchField placeholder="Address or subject" {...field('search')} />
      <ChoiceField label="State" options={optionsOf(mailStates)} {...field('state')} />
      <ChoiceField
        label="Campaign"
        options={useCampaignNames(values.campaign ?? '')}
        {...field('campaign')}
      />
    </ListFilters>
  );
}

/** Names of campaigns that have started, by id, newest first; includes the chosen one, however old. */
function useCampaignNames(chosen: string): (readonly [id: string, subject: string])[] {
  const newest = useQuery('GET /campaigns', { query: { limit: campaignLimit } });
  const listed = newest.data?.filter(({ startedAt }) => startedAt !== null) ?? [];
  const isMissing = chosen !== '' && newest.data !== undefined && !listed.some(({ _id }) => _id === chosen);
  const older = useQuery('GET /campaign/:id', isMissing ? { params: { id: chosen } } : null);
  const names = listed.map(({ _id, subject }) => [_id, subject] as const);
  if (chosen === '' || names.some(([id]) => id === chosen)) return names;
  return [...names, [chosen, older.data?.subject ?? (older.problem ? 'Campaign not found' : 'One moment')]];
}

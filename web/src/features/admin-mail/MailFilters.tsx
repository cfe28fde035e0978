import { FilterSelect, optionsOf } from '../../workspace/FilterSelect.js';
import type { ListFilter } from '../../workspace/list-filter.js';
import { ListFilters } from '../../workspace/ListFilters.js';
import { useQuery } from '../../workspace/query.js';
import { SearchField } from '../../workspace/SearchField.js';
import { mailStateWords } from '../../workspace/mail-states.js';

/** How many of the newest campaigns are read for the filter. An older campaign can still be chosen by the link in its report. */
const campaignLimit = 50;

/** Also the names of the API's query parameters. */
export const mailFilterNames = ['search', 'state', 'campaign'] as const;

export function MailFilters({ filter }: { filter: ListFilter<(typeof mailFilterNames)[number]> }) {
  const { field, active, clear, values } = filter;
  return (
    <ListFilters label="E-mails" active={active} clear={clear}>
      <SearchField placeholder="Address or subject" {...field('search')} />
      <FilterSelect label="State" options={optionsOf(mailStateWords)} {...field('state')} />
      <FilterSelect
        label="Campaign"
        options={useCampaignOptions(values.campaign ?? '')}
        {...field('campaign')}
      />
    </ListFilters>
  );
}

/** The newest campaigns, without those that have not started, and the chosen one, however old. */
function useCampaignOptions(chosen: string): (readonly [id: string, subject: string])[] {
  const newest = useQuery('GET /campaigns', { query: { limit: campaignLimit } });
  const listed = newest.data?.filter(({ startedAt }) => startedAt !== null) ?? [];
  const isUnlisted = chosen !== '' && newest.data !== undefined && !listed.some(({ _id }) => _id === chosen);
  const unlisted = useQuery('GET /campaign/:id', isUnlisted ? { params: { id: chosen } } : null);
  const options = listed.map(({ _id, subject }) => [_id, subject] as const);
  if (chosen === '' || options.some(([id]) => id === chosen)) return options;
  const problem = newest.problem ?? unlisted.problem;
  const placeholder = problem ? 'One campaign' : 'One moment';
  return [
    ...options,
    [chosen, unlisted.data?.subject ?? (problem?.status === 404 ? 'Campaign not found' : placeholder)],
  ];
}

import './campaigns.css';
import { Link } from 'react-router-dom';
import type { CampaignSummary } from '#libs/contracts';
import { FilterSelect, optionsOf } from '../../../workspace/FilterSelect.js';
import { type Column, DataTable } from '../../../workspace/DataTable.js';
import { Empty } from '../../../workspace/Empty.js';
import { ExportLink } from '../../../workspace/ExportLink.js';
import { formatNumber } from '../../../workspace/formats.js';
import { oneOf, useListFilter } from '../../../workspace/list-filter.js';
import { ListFilters } from '../../../workspace/ListFilters.js';
import { NoMatches } from '../../../workspace/NoMatches.js';
import { Pager } from '../../../workspace/Pager.js';
import { usePaged } from '../../../workspace/paging.js';
import { pathOf } from '../../../workspace/path.js';
import { SearchField } from '../../../workspace/SearchField.js';
import { Status } from '../../../workspace/Status.js';
import { When } from '../../../workspace/When.js';
import { AdminScreen } from '../AdminScreen.js';
import { stateWords } from './words.js';

const size = 10;

export function Component() {
  return (
    <AdminScreen
      lead="E-mails to all confirmed subscribers, newest first."
      actions={
        <Link className="button" to="/campaign/new">
          Create campaign
        </Link>
      }
    >
      <CampaignList />
    </AdminScreen>
  );
}

const columns: readonly Column<CampaignSummary>[] = [
  {
    key: 'subject',
    head: 'Subject',
    alwaysShown: true,
    cell: ({ _id, subject }) => (
      <Link className="campaign-name" to={`/campaign/${_id}`}>
        {subject}
      </Link>
    ),
  },
  {
    key: 'state',
    head: 'State',
    cell: ({ state }) => <Status tone={stateWords[state].tone}>{stateWords[state].word}</Status>,
  },
  {
    key: 'when',
    head: 'When',
    cell: (campaign) => (
      <span className="unbroken">
        <When
          at={campaign.startedAt ?? campaign.scheduledAt ?? campaign.updatedAt}
          time={campaign.state !== 'draft'}
        />
      </span>
    ),
  },
  countColumn('recipients', 'Recipients'),
  countColumn('sent', 'Sent'),
  countColumn('failed', 'Failed'),
  countColumn('bounced', 'Bounced'),
  countColumn('unsubscribed', 'Unsubscribed'),
];

function countColumn(key: keyof CampaignSummary['counts'], head: string) {
  return {
    key,
    head,
    align: 'end' as const,
    cell: ({ state, counts }: CampaignSummary) =>
      state === 'draft' || state === 'scheduled' ? '–' : formatNumber(counts[key]),
  };
}

function CampaignList() {
  const filter = useListFilter(['search', 'state']);
  const { search, state } = filter.values;
  const query = { search, state: oneOf(stateWords, state) };
  const list = usePaged('GET /campaigns', query, { size, resizable: true });
  return (
    <section className="panel" aria-label="Campaigns">
      <ListFilters label="Campaigns" active={filter.active} clear={filter.clear}>
        <SearchField placeholder="Subject" {...filter.field('search')} />
        <FilterSelect label="State" options={optionsOf(stateWords)} {...filter.field('state')} />
      </ListFilters>
      <DataTable
        caption="Campaigns"
        captionHidden
        skeletonRows={list.size}
        rememberAs="campaigns"
        tools={<ExportLink href={pathOf('GET /campaigns/export', { query })} what="campaigns" />}
        rows={list.rows}
        rowKey={({ _id }) => _id}
        columns={columns}
        empty={
          filter.active ? (
            <NoMatches what="campaigns" showAll={filter.clear} />
          ) : (
            <Empty
              title="No campaigns yet"
              action={
                <Link className="button" to="/campaign/new">
                  Write your first campaign
                </Link>
              }
            >
              A campaign is one e-mail to all confirmed subscribers.
            </Empty>
          )
        }
      />
      {Boolean(list.rows.total) && <Pager label="campaigns" list={list} />}
    </section>
  );
}

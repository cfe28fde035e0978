import './campaigns.css';
import { Link, useParams } from 'react-router-dom';
import { Empty } from '../../../workspace/Empty.js';
import { Loaded } from '../../../workspace/Loaded.js';
import { useQuery } from '../../../workspace/query.js';
import { AdminScreen } from '../AdminScreen.js';
import { CampaignEditor } from './CampaignEditor.js';
import { CampaignReport } from './CampaignReport.js';

export function Component() {
  const { id = '' } = useParams();
  const isNew = id === 'new';
  return (
    <AdminScreen title={isNew ? 'New Campaign' : 'Campaign'}>
      {isNew ? <CampaignEditor key="new" /> : <CampaignLoader key={id} id={id} />}
    </AdminScreen>
  );
}

/** A report is kept up to date until the campaign is sent or cancelled. */
function CampaignLoader({ id }: { id: string }) {
  const query = useQuery(
    'GET /campaign/:id',
    { params: { id } },
    {
      everyMs: 2_000,
      while: ({ state }) => state === 'scheduled' || state === 'sending' || state === 'paused',
    },
  );
  const missing = (
    <Empty
      title="Campaign not found"
      action={
        <Link className="button" to="/campaigns">
          Campaigns
        </Link>
      }
    >
      It may have been deleted.
    </Empty>
  );
  return (
    <Loaded query={query} missing={missing}>
      {(campaign) =>
        campaign.state === 'draft' ? (
          <CampaignEditor campaign={campaign} />
        ) : (
          <CampaignReport campaign={campaign} />
        )
      }
    </Loaded>
  );
}

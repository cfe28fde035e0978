import './projects.css';
import { useParams } from 'react-router-dom';
import { siteNameOf } from '#libs/content-model';
import { isRecordId } from '../../lib/record-id.js';
import { useSite } from '../../lib/site.js';
import { useAddressParams } from '../../workspace/address-params.js';
import { CustomerScreen } from '../../workspace/CustomerScreen.js';
import { Loaded } from '../../workspace/Loaded.js';
import { useQuery } from '../../workspace/query.js';
import { NoSuchProject } from './NoSuchProject.js';
import { MonthChoice, ReportView } from './ReportView.js';
import { ShareReport } from './ShareReport.js';

export function Component() {
  const { id } = useParams();
  if (isRecordId(id)) return <Screen key={id} id={id} />;
  return (
    <CustomerScreen title="Report">
      <NoSuchProject />
    </CustomerScreen>
  );
}

function Screen({ id }: { id: string }) {
  const [params, change] = useAddressParams();
  const month = params.get('month') ?? '';
  const isMonth = /^\d{4}-(0[1-9]|1[0-2])$/.test(month);
  const report = useQuery('GET /project/:id/report', {
    params: { id },
    query: { month: isMonth ? month : undefined },
  });
  const siteName = siteNameOf(useSite());
  return (
    <CustomerScreen
      title="Report"
      lead="A summary of what was done, to share with others. It leaves out messages, prices and the files themselves."
      breadcrumbs={[
        { to: '/projects', text: 'Projects' },
        { to: `/project/${id}`, text: report.data?.title ?? 'Project' },
      ]}
      actions={
        <button className="button button--quiet" type="button" onClick={() => window.print()}>
          Print
        </button>
      }
    >
      <Loaded query={report} missing={<NoSuchProject />}>
        {(data) => (
          <>
            <MonthChoice report={data} choose={(to) => change({ month: to })} />
            <ReportView report={data} siteName={siteName} />
          </>
        )}
      </Loaded>
      {report.data && <ShareReport projectId={id} />}
    </CustomerScreen>
  );
}

import { CounterList } from '../../components/CounterList.js';
import { PageHead } from '../../components/PageHead.js';
import { ServiceGrid } from '../../components/ServiceGrid.js';
import { singleRecord, useSite } from '../../lib/site.js';
import { CallToAction } from './CallToAction.js';
import { Skills } from './Skills.js';
import { Team } from './Team.js';
import { Video } from './Video.js';

export function Component() {
  const site = useSite();
  const counters = singleRecord(site.counters);
  return (
    <>
      <PageHead title="Services" />
      {counters && (
        <section className="counters-band wrap" aria-label="Figures">
          <CounterList counters={counters} />
        </section>
      )}
      <ServiceGrid site={site} />
      <Skills site={site} />
      <CallToAction site={site} />
      <Video site={site} />
      <Team site={site} />
    </>
  );
}

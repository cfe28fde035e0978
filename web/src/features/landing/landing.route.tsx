import { siteNameOf } from '#libs/content-model';
import { PageHead } from '../../components/PageHead.js';
import { ServiceGrid } from '../../components/ServiceGrid.js';
import { useSite } from '../../lib/site.js';
import { About } from './About.js';
import { Banner } from './Banner.js';
import { NewsletterSignUp } from './NewsletterSignUp.js';
import { SocialProof } from './SocialProof.js';
import { Questions } from './Questions.js';
import { Steps } from './Steps.js';
import { Testimonials } from './Testimonials.js';

/** All visible texts are content, except for the newsletter form's labels and messages, and the defaults of missing texts. */
export function Component() {
  const site = useSite();
  return (
    <>
      {site.banner?.[0] ? (
        <Banner banner={site.banner[0]} />
      ) : (
        <PageHead title={siteNameOf(site) ?? 'Home'} />
      )}
      <SocialProof site={site} />
      <ServiceGrid site={site} />
      <Steps site={site} />
      <About site={site} />
      <Questions site={site} />
      <Testimonials site={site} />
      <NewsletterSignUp />
    </>
  );
}

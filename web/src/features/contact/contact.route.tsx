import { ContactLines } from '../../components/ContactLines.js';
import { PageHead } from '../../components/PageHead.js';
import { Picture } from '../../components/Picture.js';
import { singleRecord, usePageData } from '../../lib/site.js';
import { ContactForm } from './ContactForm.js';
import { ContactMap } from './ContactMap.js';

export function Component() {
  const { site, mapEmbedUrl } = usePageData();
  const address = singleRecord(site.footerAddress);
  const details = site.contactDetail ?? [];
  return (
    <>
      <PageHead title="Get In Touch" />
      <div className="contact wrap">
        <ContactForm />
        {(address || details.length > 0) && (
          <aside className="contact__panel" aria-label="Contact info">
            {address && <ContactLines address={address} />}
            {details.map((detail) => (
              <section className="contact__detail" key={detail._id}>
                <span className="contact__icon">
                  <Picture src={detail.contactImg} alt="" width={40} height={40} />
                </span>
                <div>
                  <h2>{detail.contactTitle}</h2>
                  <p>{detail.contactDetails}</p>
                </div>
              </section>
            ))}
          </aside>
        )}
        {mapEmbedUrl && address?.footeraddress && (
          <ContactMap embedUrl={mapEmbedUrl} address={address.footeraddress} />
        )}
      </div>
    </>
  );
}

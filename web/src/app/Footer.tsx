import { Link } from 'react-router-dom';
import { siteNameOf } from '#libs/content-model';
import { ContactLines } from '../components/ContactLines.js';
import { Icon, type IconName } from '../components/Icon.js';
import { Ladder } from '../components/Ladder.js';
import { Picture } from '../components/Picture.js';
import { addressKind } from '../lib/address.js';
import { singleRecord, useSite } from '../lib/site.js';

interface FooterProps {
  /** Shows one line; contact details and links are in a disclosure. */
  compact?: boolean;
}

export function Footer({ compact = false }: FooterProps) {
  return compact ? <CompactFooter /> : <FullFooter />;
}

function FullFooter() {
  const site = useSite();
  // The footer is dark in both themes.
  const logo = singleRecord(site.logo)?.logoOnDark ?? singleRecord(site.logo)?.logo;
  return (
    <footer className="footer deep">
      <div className="wrap">
        <div className="footer__top">
          {logo && (
            <Link to="/">
              <Picture src={logo} alt={siteNameOf(site) ?? 'Home'} width={194} height={40} />
            </Link>
          )}
          <Ladder form="risen" />
        </div>
        <Columns />
        <div className="footer__end">
          <p>{singleRecord(site.copyright)?.copyrightText}</p>
          <LegalLinks />
        </div>
      </div>
    </footer>
  );
}

function CompactFooter() {
  const site = useSite();
  return (
    <footer className="footer footer--compact deep">
      <div className="footer__end wrap">
        <p>{singleRecord(site.copyright)?.copyrightText}</p>
        <LegalLinks />
        <details className="footer__more">
          <summary>Contact and links</summary>
          <Columns />
        </details>
      </div>
    </footer>
  );
}

function LegalLinks() {
  const site = useSite();
  return (
    <ul className="footer__legal">
      <QuickLink to="/terms" text={singleRecord(site.terms)?.termsHeading} />
      <QuickLink to="/privacy" text={singleRecord(site.privacy)?.privacyHeading} />
    </ul>
  );
}

function Columns() {
  const site = useSite();
  const address = singleRecord(site.footerAddress);
  const social = singleRecord(site.footerSocial);
  return (
    <div className="footer__columns">
      <About />
      <nav aria-labelledby="footer-links">
        <h2 className="footer__heading" id="footer-links">
          Quick links
        </h2>
        <ul className="footer__links">
          <QuickLink to="/" text="Home" />
          <QuickLink to="/pricing/" text="Pricing" />
          <QuickLink to="/contact" text="Contact Us" />
          <QuickLink to="/contact" text="Support" />
        </ul>
      </nav>
      {address && (
        <section aria-labelledby="footer-contact">
          <h2 className="footer__heading" id="footer-contact">
            Contact info
          </h2>
          <ContactLines address={address} />
        </section>
      )}
      <ul className="footer__social">
        <SocialLink address={social?.fblink} name="Facebook" icon="facebook" />
        <SocialLink address={social?.inslink} name="Instagram" icon="instagram" />
      </ul>
    </div>
  );
}

/** The section `footerAbout`. Without a heading there, shows the site's name; without a text there, the text of the section `footerSocial`. */
function About() {
  const site = useSite();
  const about = singleRecord(site.footerAbout);
  const heading = about?.aboutFooterText ?? siteNameOf(site);
  const text = about?.aboutFooterDetails ?? singleRecord(site.footerSocial)?.aboutText;
  return (
    <section className="footer__about" aria-label="About">
      {heading && <h2 className="footer__heading">{heading}</h2>}
      {text && <p>{text}</p>}
    </section>
  );
}

function SocialLink({ address, name, icon }: { address: string | undefined; name: string; icon: IconName }) {
  if (!addressKind(address)) return null;
  return (
    <li>
      <a href={address} rel="noopener">
        <Icon name={icon} />
        {name}
      </a>
    </li>
  );
}

function QuickLink({ to, text }: { to: string; text: string | undefined }) {
  return (
    text && (
      <li>
        <Link to={to}>{text}</Link>
      </li>
    )
  );
}

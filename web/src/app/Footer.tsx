import { Link } from 'react-router-dom';
import { ContactLines } from '../components/ContactLines.js';
import { Icon, type IconName } from '../components/Icon.js';
import { Ladder } from '../components/Ladder.js';
import { addressKind } from '../lib/address.js';
import { only, siteName, useSite } from '../lib/site.js';

export function Footer() {
  const site = useSite();
  const address = only(site.footerAddress);
  const copyright = only(site.copyright)?.copyrightText;
  return (
    <footer className="footer deep">
      <div className="wrap">
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
          <Ladder form="small" />
        </div>
        {copyright && <p className="footer__copyright">{copyright}</p>}
      </div>
    </footer>
  );
}

/** The about text is footer about's, else the social links'. */
function About() {
  const site = useSite();
  const about = only(site.footerAbout);
  const social = only(site.footerSocial);
  const logo = only(site.logo)?.logo;
  const text = about?.aboutFooterDetails ?? social?.aboutText;
  return (
    <section className="footer__about" aria-label="About">
      {logo && (
        <Link to="/">
          <img src={logo} alt={siteName(site) ?? 'Home'} width={194} height={40} loading="lazy" />
        </Link>
      )}
      {about?.aboutFooterText && <h2 className="footer__name">{about.aboutFooterText}</h2>}
      {text && <p>{text}</p>}
      <ul className="footer__social">
        <SocialLink address={social?.fblink} name="Facebook" icon="facebook" />
        <SocialLink address={social?.inslink} name="Instagram" icon="instagram" />
      </ul>
    </section>
  );
}

function SocialLink({ address, name, icon }: { address: string | undefined; name: string; icon: IconName }) {
  if (!addressKind(address)) return null;
  return (
    <li>
      <a className="icon-link" href={address} rel="noopener">
        <Icon name={icon} />
        <span className="visually-hidden">{name}</span>
      </a>
    </li>
  );
}

function QuickLink({ to, text }: { to: string; text: string }) {
  return (
    <li>
      <Link to={to}>{text}</Link>
    </li>
  );
}

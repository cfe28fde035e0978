import { Glyph } from '../../components/Icon.js';
import { Picture } from '../../components/Picture.js';
import { addressKind } from '../../lib/address.js';
import type { ShownRecord, Site } from '../../lib/site.js';
import { glyphs } from './glyphs.js';

/** The people behind the site, from its content; not a customer's team. */
export function Team({ site }: { site: Site }) {
  const members = site.teamMember ?? [];
  if (members.length === 0) return null;
  return (
    <section className="section section--ruled" aria-labelledby="team-heading">
      <div className="wrap">
        <div className="section__head">
          <h2 id="team-heading">Team</h2>
        </div>
        <ul className="team">
          {members.map((member) => (
            <Member key={member._id} member={member} />
          ))}
        </ul>
      </div>
    </section>
  );
}

function Member({ member }: { member: ShownRecord<'teamMember'> }) {
  const name = member.membername ?? '';
  return (
    <li className="member">
      <div className="member__image">
        <Picture src={member.memberImg} alt="" width={320} height={360} />
      </div>
      <h3>{name}</h3>
      <p>{member.memberPosition}</p>
      <ul className="member__links">
        <ProfileLink address={member.facebookLink} icon={glyphs.facebook} label={`${name} on Facebook`} />
        <ProfileLink address={member.twitterLink} icon={glyphs.twitter} label={`${name} on Twitter`} />
        <ProfileLink address={member.linkedinLink} icon={glyphs.linkedin} label={`${name} on LinkedIn`} />
        <ProfileLink address={member.youtubeLink} icon={glyphs.youtube} label={`${name} on YouTube`} />
      </ul>
    </li>
  );
}

function ProfileLink({ address, icon, label }: { address: string | undefined; icon: string; label: string }) {
  if (!addressKind(address)) return null;
  return (
    <li>
      <a className="icon-link" href={address} rel="noopener">
        <Glyph path={icon} />
        <span className="visually-hidden">{label}</span>
      </a>
    </li>
  );
}

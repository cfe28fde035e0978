import type { BodyOf, SectionName, sections } from '#libs/content-model';
import { customizableMailNames } from '#libs/contracts';
import { demoPrivacy, demoTerms } from './demo-legal.js';

/** In the order in which the records are shown. */
export type DemoContent = { readonly [N in SectionName]: readonly BodyOf<(typeof sections)[N]>[] };

/**
 * Pictures are the drawings in `web/public/demo/`. The telephone number (555-01xx) and the domain (`.example`) are reserved, so they belong to
 * nobody.
 */
export const demoContent: DemoContent = {
  siteName: [{ siteName: 'Northrank' }],
  logo: [{ logo: '/demo/logo.svg' }],

  banner: [
    {
      bannerHeading: 'Climb the results page, one line at a time.',
      bannerDetails:
        'Northrank finds what holds a site back, fixes it, and reports the change in plain figures. Most clients see their first pages move within 90 days.',
      bannerImage: '/demo/banner.svg',
      buttonOneText: 'See the packages',
      buttonOneLink: '/pricing/',
      buttonTwoText: 'What we do',
      buttonTwoLink: '/service/',
    },
  ],

  serviceHeading: [
    {
      serviceHeading: 'Six things we do, and do ourselves',
      servicesubHeading:
        'No subcontractors and no link farms. Each service has one person who answers for it and one figure it is judged by.',
    },
  ],
  serviceItem: [
    {
      serviceIcon: '/demo/icon-audit.svg',
      serviceTitle: 'Site audit',
      serviceDetails:
        'We read up to 5,000 pages the way a search engine does and rank every fault by the visits it costs. You get the list within ten working days.',
    },
    {
      serviceIcon: '/demo/icon-technical.svg',
      serviceTitle: 'Technical repairs',
      serviceDetails:
        'Slow templates, broken redirects, duplicate pages: our developers fix them in your code base and hand over each change for review.',
    },
    {
      serviceIcon: '/demo/icon-content.svg',
      serviceTitle: 'Content planning',
      serviceDetails:
        'Twelve months of topics, chosen by what people ask and what you can answer better than the ten pages that rank today.',
    },
    {
      serviceIcon: '/demo/icon-links.svg',
      serviceTitle: 'Earned links',
      serviceDetails:
        'We publish small studies that trade papers cite. An average study earns 14 links from sites with readers of their own.',
    },
    {
      serviceIcon: '/demo/icon-local.svg',
      serviceTitle: 'Local search',
      serviceDetails:
        'Opening hours, maps and reviews kept in order for every branch, so that the nearest customer finds the nearest door.',
    },
    {
      serviceIcon: '/demo/icon-reporting.svg',
      serviceTitle: 'Monthly reporting',
      serviceDetails:
        'Two pages on the first working day of the month: what moved, why it moved, and what we do next. No dashboard to learn.',
    },
  ],

  workSection: [
    {
      workTitle: 'How we work',
      stepOne: 'We measure',
      stepTwo: 'We agree on a list',
      stepThree: 'We do the work',
      stepFour: 'We show the change',
    },
  ],
  step: [
    {
      stepTitle: 'Measure',
      stepDetails:
        'In the first two weeks we record where you stand: rankings for your phrases, speed on a mid-range phone, and the pages that bring enquiries.',
      stepNumber: '1',
    },
    {
      stepTitle: 'Agree',
      stepDetails:
        'You receive a list of repairs and pages, each with its cost in hours and the visits we expect from it. You strike out what you do not want.',
      stepNumber: '2',
    },
    {
      stepTitle: 'Do',
      stepDetails:
        'We work through the list from the top. Every change is small, reviewed by a second person and easy to undo.',
      stepNumber: '3',
    },
    {
      stepTitle: 'Show',
      stepDetails:
        'Each month we set the figures beside those of the first two weeks. What did not work is in the report as well.',
      stepNumber: '4',
    },
  ],

  about: [
    {
      aboutImg: '/demo/about.svg',
      aboutHeading: 'A small agency with a long memory',
      aboutText:
        'Northrank was founded in 2015 by two people who had spent years inside a search company. There are twelve of us today, and we keep our client list short enough that everyone here knows every site on it.',
      certifiedHeading: 'Certified where it counts',
      certifiedDetails:
        'Every consultant renews an analytics and an accessibility certificate each year. A site that everybody can use is a site that ranks.',
      awardHeading: 'Recognized by the trade',
      awardDetails:
        'Nine awards in eleven years, four of them for research that other agencies now cite. We are proudest of those four.',
      buttonText: 'Read about the services',
      buttonLink: '/service/',
      aboutDetails:
        'We publish our own figures, because we ask the same of our clients. These three are from the last twelve months and are updated each January.',
      aboutPointone: 'Audits delivered ahead of schedule',
      aboutPointwo: 'New clients who came by referral',
      aboutPointhree: 'Clients who stayed past their first year',
    },
  ],

  faqHeading: [
    {
      faqHeading: 'Questions we hear every week',
      faqText:
        'Short answers first. If yours is not among them, write to us and a consultant will reply within two working days.',
    },
  ],
  faqItem: [
    {
      accodingTitle: 'How long until something moves?',
      accodingText:
        'Technical repairs show within four to six weeks, once the search engine has read the pages again. New pages take three to six months to find their place.',
    },
    {
      accodingTitle: 'Can you guarantee the first position?',
      accodingText:
        'No, and nobody can. We guarantee the hours, the list of work and an honest report. You may leave at the end of any month.',
    },
    {
      accodingTitle: 'Do you need access to our site?',
      accodingText:
        'Read access to your analytics is enough for the audit. For repairs we work in your code base through pull requests, or we write instructions for your own developers.',
    },
    {
      accodingTitle: 'Who writes the pages?',
      accodingText:
        'Our editors write the plan and the first draft. Someone in your company corrects what only you can know. Nothing is published without your approval.',
    },
    {
      accodingTitle: 'How do we pay?',
      accodingText:
        'Through PayPal, by card or from a PayPal balance: for one month, or every month until you cancel. There is no set-up fee and no minimum term.',
    },
    {
      accodingTitle: 'Do you work with our competitors?',
      accodingText:
        'We take one client per trade and region. If we already work for a competitor of yours, we tell you in our first reply.',
    },
  ],

  counters: [
    {
      happyClientsNumber: '140',
      happyClientsText: 'clients served',
      projectCompleteNumber: '320',
      projectCompleteText: 'projects completed',
      yearofExperienceNumber: '11',
      yearofExperienceText: 'years in search',
      winingAwardNumber: '9',
      winingAwardText: 'awards won',
    },
  ],

  testimonialText: [
    {
      testimonialHeading: 'What clients say after a year',
      testimonialText:
        'We ask every client the same question on their first anniversary: what changed? These are five of the answers.',
    },
  ],
  testimonial: [
    {
      desc: 'Enquiries from search went from 30 to 85 a month, and we have not bought an advertisement since March. The monthly report is the only one our board reads to the end.',
      image: '/demo/portrait-1.svg',
      personName: 'Marta Lindqvist',
      personTitle: 'Managing director, Lindqvist Windows',
    },
    {
      desc: 'They told us to delete 400 pages. It felt wrong, we did it, and within two months the other 600 brought more visits than all thousand had.',
      image: '/demo/portrait-2.svg',
      personName: 'Daniel Okafor',
      personTitle: 'Head of e-commerce, Fieldhouse Outdoor',
    },
    {
      desc: 'Our pages load in 1.2 seconds; before, they took 6. Our own developers learned a great deal along the way.',
      image: '/demo/portrait-3.svg',
      personName: 'Priya Raman',
      personTitle: 'Product owner, Tessel Learning',
    },
    {
      desc: 'Seven branches, seven towns, and each of them is now found by the people who live there. Walk-in visits are up by a fifth.',
      image: '/demo/portrait-4.svg',
      personName: 'Jonas Weber',
      personTitle: 'Owner, Weber Bakeries',
    },
    {
      desc: 'In month four the figures fell, and Northrank called before we had noticed. The cause was ours. They fixed it all the same.',
      image: '/demo/portrait-5.svg',
      personName: 'Claire Dubois',
      personTitle: 'Marketing lead, Atelier Dubois',
    },
  ],

  callToAction: [
    {
      heading: 'Find out what holds your site back',
      subHeading:
        'Send us its address. You get the three costliest faults by e-mail within two working days, free of charge.',
      buttonText: 'Send us your site’s address',
      buttonLink: '/contact',
    },
  ],

  pricingPackage: [
    {
      packageName: 'Basic',
      packageDetails: 'For a small site that should be found for what it already offers.',
      packagePrice: '290.00',
      packageButtonText: 'Order Basic',
      packagePointOne: 'Audit of up to 500 pages',
      packagePointTwo: '20 phrases tracked each week',
      packagePointThree: '4 hours of technical repairs',
      packagePointFour: '1 new or rewritten page',
      packagePointFive: 'Local listing for 1 branch',
      packagePointSix: 'Monthly report of two pages',
      packagePointSeven: 'Answers by e-mail in 2 working days',
    },
    {
      packageName: 'Premium',
      packageDetails: 'For companies that sell through search and want to lead their field in it.',
      packagePrice: '990.00',
      packageButtonText: 'Order Premium',
      packagePointOne: 'Audit of up to 5,000 pages',
      packagePointTwo: '200 phrases tracked each day',
      packagePointThree: '20 hours of technical repairs',
      packagePointFour: '6 new or rewritten pages',
      packagePointFive: 'Local listings for 20 branches',
      packagePointSix: 'Monthly report and a call',
      packagePointSeven: 'Answers by phone the same day',
      packagePointEight: '1 original study each quarter',
    },
    {
      packageName: 'Standard',
      packageDetails: 'For a growing site that needs steady repairs and new pages every month.',
      packagePrice: '590.00',
      packageButtonText: 'Order Standard',
      packagePointOne: 'Audit of up to 2,000 pages',
      packagePointTwo: '80 phrases tracked each week',
      packagePointThree: '10 hours of technical repairs',
      packagePointFour: '3 new or rewritten pages',
      packagePointFive: 'Local listings for 5 branches',
      packagePointSix: 'Monthly report with the raw data',
      packagePointSeven: 'Answers by e-mail the next day',
    },
  ],

  paymentText: [
    {
      howPaymentWorks:
        'Pay for one month, or every month until you cancel. You choose when you order, and you can cancel online at any time.',
    },
  ],

  videoSection: [
    {
      imageLink: '/demo/video.svg',
      videoLink: 'https://www.google.com/intl/en/search/howsearchworks/',
      videoSectionTitle: 'How a search engine reads a page',
      videoSectionText:
        'Crawling, indexing, ranking: three steps, explained by the people who built them. It takes five minutes and saves most of our first meeting.',
    },
  ],
  teamMember: [
    {
      membername: 'Ingrid Solberg',
      memberPosition: 'Founder, technical search',
      memberImg: '/demo/team-1.svg',
      facebookLink: 'https://www.facebook.com/northrank.example',
      twitterLink: 'https://twitter.com/northrank_example',
      linkedinLink: 'https://www.linkedin.com/company/northrank-example',
      youtubeLink: 'https://www.youtube.com/@northrank-example',
    },
    {
      membername: 'Tomas Varga',
      memberPosition: 'Founder, research',
      memberImg: '/demo/team-2.svg',
      facebookLink: 'https://www.facebook.com/northrank.example',
      twitterLink: 'https://twitter.com/northrank_example',
      linkedinLink: 'https://www.linkedin.com/company/northrank-example',
      youtubeLink: 'https://www.youtube.com/@northrank-example',
    },
    {
      membername: 'Amina Hassan',
      memberPosition: 'Editor in chief',
      memberImg: '/demo/team-3.svg',
      facebookLink: 'https://www.facebook.com/northrank.example',
      twitterLink: 'https://twitter.com/northrank_example',
      linkedinLink: 'https://www.linkedin.com/company/northrank-example',
      youtubeLink: 'https://www.youtube.com/@northrank-example',
    },
    {
      membername: 'Leo Marchetti',
      memberPosition: 'Lead developer',
      memberImg: '/demo/team-4.svg',
      facebookLink: 'https://www.facebook.com/northrank.example',
      twitterLink: 'https://twitter.com/northrank_example',
      linkedinLink: 'https://www.linkedin.com/company/northrank-example',
      youtubeLink: 'https://www.youtube.com/@northrank-example',
    },
  ],

  contactDetail: [
    {
      contactImg: '/demo/icon-phone.svg',
      contactTitle: 'By phone',
      contactDetails: 'Monday to Friday, 9 a.m. to 5 p.m. Eastern time. A consultant answers, not a queue.',
    },
    {
      contactImg: '/demo/icon-mail.svg',
      contactTitle: 'By e-mail',
      contactDetails: 'We reply within two working days. Tell us the address of your site and what you sell.',
    },
    {
      contactImg: '/demo/icon-office.svg',
      contactTitle: 'In person',
      contactDetails: 'The office is two minutes from the ferry terminal. Please make an appointment first.',
    },
  ],

  footerAbout: [
    {
      aboutFooterText: 'Northrank',
      aboutFooterDetails:
        'Search work you can check. Audits, repairs, pages and reports from one small team since 2015.',
    },
  ],
  footerAddress: [
    {
      footeraddress: '14 Harbor Row, Portland, ME 04101, United States',
      footerPhone: '+1 207 555 0142',
      footerEmail: 'hello@northrank.example',
    },
  ],
  footerSocial: [
    {
      aboutText: 'Search work you can check, from one small team since 2015.',
      fblink: 'https://www.facebook.com/northrank.example',
      inslink: 'https://www.instagram.com/northrank.example',
    },
  ],
  copyright: [{ copyrightText: '© 2026 Northrank. All rights reserved.' }],

  designItem: [
    {
      format: 'Facebook',
      canvaLink: 'https://www.canva.com/templates/facebook-posts/',
      imageLink: '/demo/design-1.svg',
      category: 'Study results',
      freeOrPaid: 'Free',
    },
    {
      format: 'Instagram',
      canvaLink: 'https://www.canva.com/templates/instagram-posts/',
      imageLink: '/demo/design-2.svg',
      category: 'Client figures',
      freeOrPaid: 'Free',
    },
    {
      format: 'Youtube',
      canvaLink: 'https://www.canva.com/templates/youtube-thumbnails/',
      imageLink: '/demo/design-3.svg',
      category: 'Explainers',
      freeOrPaid: 'Paid',
    },
  ],

  terms: [demoTerms],
  privacy: [demoPrivacy],

  newsletter: [
    {
      newsletterHeading: 'Newsletter',
      newsletterConsent:
        'Send me the newsletter of Northrank by e-mail, about once a month. I can unsubscribe at any time with the link in every issue.',
    },
  ],

  pageTitle: [
    {
      page: 'Landing',
      title: 'SEO you can check, line by line | Northrank',
      description:
        'Audits, repairs, pages and earned links from one small team, reported in plain figures. Packages from $290 a month; you may leave at the end of any month.',
    },
    // The titles of the other pages come from their content; each still has a record, so that there is something to edit.
    { page: 'Pricing' },
    { page: 'Service' },
    { page: 'Contact' },
    { page: 'Terms' },
    { page: 'Privacy' },
  ],

  // All mails have the default texts; each still has a record, so that there is something to edit.
  mailText: customizableMailNames.map((mail) => ({ mail, send: 'Yes' })),
};

import { Link } from "react-router";
import { Page } from "@/components/Page";
import { siteInfo } from "@/lib/siteInfo";
import { Section } from "./AboutPage";

/** It describes what the software does; those who run a site answer for it. */
export function PrivacyPage() {
  const contact = siteInfo("contact");
  return (
    <Page title="Privacy" intro="What this site stores, who can read it, and how it is removed.">
      <Section id="visitors" title="If you only look around">
        <p>No account is needed. There is no advertising, no tracking, and nothing is loaded from other sites.</p>
        <ul>
          <li>One cookie protects forms against misuse by other sites. It does not identify you.</li>
          <li>Your choices, such as dark or light, stay in your browser.</li>
          <li>Answers to practice questions are neither saved nor sent.</li>
          <li>Your network address is used for a short time to limit repeated requests.</li>
        </ul>
      </Section>
      <Section id="accounts" title="If you have an account">
        <ul>
          <li>Stored are your e-mail address, your name if you gave one, and your roles. A password is stored only as a hash.</li>
          <li>A second cookie keeps you signed in for up to 14 days.</li>
          <li>E-mail is sent to sign you in, to invite you, and about your own submissions. The last can be switched off.</li>
        </ul>
      </Section>
      <Section id="studies" title="If you take part in a study">
        <p>You read what is recorded, and agree to it, before the first question.</p>
        <ul>
          <li>Stored are your answers, how sure you were, your comments, and the steps and times on the way to each answer.</li>
          <li>Stored is also which evidence and look-up links you opened from a question.</li>
          <li>The coordinators of the study see this with your name and e-mail address. Other experts do not.</li>
          <li>Coordinators can export it, with names or without.</li>
          <li>Those who run the server can reach all that is stored on it.</li>
          <li>Unsent answers wait in your browser until they can be saved.</li>
        </ul>
      </Section>
      <Section id="submissions" title="If you submit predictions">
        <p>Results on a board are public, with the model&apos;s name. An entry can stay anonymous until a date that you choose.</p>
      </Section>
      <Section id="removal" title="To see, correct or remove your data">
        <p>
          You can change your name and your e-mail settings on your <Link to="/account">account page</Link>. For everything else{" "}
          {contact ? <>write to <a href={`mailto:${contact}`}>{contact}</a>.</> : "write to the coordinator of your study, or to the person who invited you."}
        </p>
      </Section>
    </Page>
  );
}

"""What accounts tells the rooms below."""

from django.dispatch import Signal

# Sent by send(), inside the transaction of the acceptance and under the invitation's row lock,
# with invitation and user. A receiver that raises undoes the acceptance.
invitation_accepted = Signal()

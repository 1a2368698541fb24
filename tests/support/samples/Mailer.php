<?php
namespace App\Mail;

use App\Models\User;
use Psr\Log\{LoggerInterface, NullLogger as Quiet};

require_once 'helpers.php';

const RETRIES = 3;

/**
 * Sends mail.
 */
final class Mailer extends Base implements Sends
{
    use Loggable;
    private const LIMIT = 5;
    private $queue = [];

    public function __construct(private LoggerInterface $log) {}

    /** Sends to one user. */
    #[Pure]
    public function send(User $user): bool
    {
        $this->log->info(render($user->name));
        return Transport::deliver($user, self::LIMIT);
    }
}

interface Sends { public function send(User $user): bool; }

trait Loggable { public function log() { return new Quiet(); } }

enum Level: string { case Low = 'low'; }

function render($name) { return strtoupper($name); }
